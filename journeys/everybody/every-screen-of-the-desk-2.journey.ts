import { checkScreensOf } from '../kit/accessibility.ts'

checkScreensOf('desk', { part: 2, parts: 2 })
