import { findNothingOn } from '../kit/accessibility.ts'

findNothingOn('portal', { part: 1, parts: 3 })
