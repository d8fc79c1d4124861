"""Long computations that can be monitored, stopped and resumed: requests, run directories, steps, workers."""
