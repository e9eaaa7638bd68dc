import { findNothingOn } from './accessibility.ts'

findNothingOn('portal')
