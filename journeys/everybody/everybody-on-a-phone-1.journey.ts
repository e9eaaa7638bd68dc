// spec: DK frame
import { findNothingAt } from '../kit/accessibility.ts'

findNothingAt(360, 1)
