"""The table: the dealer, matches, tournaments, records, statistics, and what can be concluded from them."""
