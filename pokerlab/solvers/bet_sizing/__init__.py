"""Automatic bet sizes: BETS, RE-BETS, RED-BETS, REDM-BETS and REFINED-BETS as one algorithm with settings."""
