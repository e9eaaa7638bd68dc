// spec: MP 2.1, AO 2.2, AO 2.4, AO 2.5, AO 8
import { findNothingAt } from '../kit/accessibility.ts'

findNothingAt(1_280, 1)
