import { findNothingAt } from './accessibility.ts'

findNothingAt(1_280, 1)
