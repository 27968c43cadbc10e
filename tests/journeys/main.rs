//! Whole-product journeys.
