import { findNothingAt } from './accessibility.ts'

findNothingAt(390)
