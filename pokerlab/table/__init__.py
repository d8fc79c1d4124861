"""The table: the dealer, matches, tournaments, records, statistics, and the intervals of their results."""
