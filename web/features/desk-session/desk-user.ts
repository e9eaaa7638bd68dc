import type { CallAnswer } from '@atrium/contract/call.ts'
import type { readDeskUser } from '@atrium/contract/staff/calls.ts'

export type DeskUser = CallAnswer<typeof readDeskUser>['user']
