import { checkEveryScreen } from '../kit/accessibility.ts'

checkEveryScreen(360, 2)
