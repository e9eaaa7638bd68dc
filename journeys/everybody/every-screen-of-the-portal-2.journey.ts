import { checkScreensOf } from '../kit/accessibility.ts'

checkScreensOf('portal', { part: 2, parts: 3 })
