//! The text faces: print, stream and JSON.
