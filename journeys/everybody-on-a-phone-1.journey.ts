// spec: DK frame
import { findNothingAt } from './accessibility.ts'

findNothingAt(360, 1)
