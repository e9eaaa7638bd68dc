import { describeStrangers } from './describe-outsiders.ts'

describeStrangers(['staff'])
