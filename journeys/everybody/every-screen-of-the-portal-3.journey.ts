import { findNothingOn } from '../kit/accessibility.ts'

findNothingOn('portal', { part: 3, parts: 3 })
