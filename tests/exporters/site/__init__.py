"""Tests of exporters/site."""
