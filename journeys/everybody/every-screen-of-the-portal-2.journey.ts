import { findNothingOn } from '../kit/accessibility.ts'

findNothingOn('portal', { part: 2, parts: 3 })
