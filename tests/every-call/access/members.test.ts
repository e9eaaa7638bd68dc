import { describeStrangers } from './describe-outsiders.ts'

describeStrangers(['anyone', 'member'])
