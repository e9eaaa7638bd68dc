import { describeStrangers } from './testing/matrix/strangers.ts'

describeStrangers(['anyone', 'member'])
