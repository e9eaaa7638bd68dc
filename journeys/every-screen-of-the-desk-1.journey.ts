import { findNothingOn } from './accessibility.ts'

findNothingOn('desk', { part: 1, parts: 2 })
