import { checkEveryScreen } from '../kit/accessibility.ts'

checkEveryScreen(1_280, 2)
