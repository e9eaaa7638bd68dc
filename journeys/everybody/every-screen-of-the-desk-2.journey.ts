import { findNothingOn } from '../kit/accessibility.ts'

findNothingOn('desk', { part: 2, parts: 2 })
