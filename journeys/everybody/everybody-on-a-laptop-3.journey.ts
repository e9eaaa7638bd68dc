import { findNothingAt } from '../kit/accessibility.ts'

findNothingAt(1_280, 3)
