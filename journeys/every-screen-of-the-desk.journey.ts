import { findNothingOn } from './accessibility.ts'

findNothingOn('desk')
