import { checkScreensOf } from '../kit/accessibility.ts'

checkScreensOf('desk', { part: 1, parts: 2 })
