// spec: MP 2.1, AO 2.2, AO 2.4, AO 2.5, AO 8
import { checkEveryScreen } from '../kit/accessibility.ts'

checkEveryScreen(1_280, 1)
