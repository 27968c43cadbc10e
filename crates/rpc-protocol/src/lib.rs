//! What zeug and an outside program may say to each other: JSON-mode events.
