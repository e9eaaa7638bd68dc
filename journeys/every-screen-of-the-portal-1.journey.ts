import { findNothingOn } from './accessibility.ts'

findNothingOn('portal', { part: 1, parts: 3 })
