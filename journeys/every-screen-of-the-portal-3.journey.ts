import { findNothingOn } from './accessibility.ts'

findNothingOn('portal', { part: 3, parts: 3 })
