import { checkScreensOf } from '../kit/accessibility.ts'

checkScreensOf('portal', { part: 3, parts: 3 })
