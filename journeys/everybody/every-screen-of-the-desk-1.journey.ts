import { findNothingOn } from '../kit/accessibility.ts'

findNothingOn('desk', { part: 1, parts: 2 })
