"""Grids, curves, trees and networks as SVG, PNG and PDF."""
