import { findNothingOn } from './accessibility.ts'

findNothingOn('desk', { part: 2, parts: 2 })
