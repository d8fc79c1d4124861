"""Pictures and pages: charts, reports, and what a browser shows."""
