import { checkScreensOf } from '../kit/accessibility.ts'

checkScreensOf('portal', { part: 1, parts: 3 })
