import { findNothingOn } from './accessibility.ts'

findNothingOn('portal', { part: 2, parts: 3 })
