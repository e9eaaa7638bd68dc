import { accessMutations } from './access.ts'
import { adapterMutations } from './adapters.ts'
import { backupMutations } from './backups.ts'
import { beneficiaryMutations } from './beneficiaries.ts'
import { databaseMutations } from './databases.ts'
import { documentMutations } from './documents.ts'
import { formMutations } from './forms.ts'
import { headersMutations } from './headers.ts'
import { inputMutations } from './input.ts'
import { moneyMutations } from './money.ts'
import { moneyDecisionMutations } from './money-decisions.ts'
import type { Mutation } from './mutation.ts'
import { notificationMutations } from './notifications.ts'
import { openingMutations } from './openings.ts'
import { paymentMutations } from './payments.ts'
import { payoutMutations } from './payouts.ts'
import { platformMutations } from './platforms.ts'
import { privacyMutations } from './privacy.ts'
import { providerMutations } from './providers.ts'
import { requestMutations } from './requests.ts'
import { sessionsMutations } from './sessions.ts'
import { supplyMutations } from './supply.ts'
import { ticketMutations } from './tickets.ts'
import { tradeMutations } from './trades.ts'
import { withdrawalMutations } from './withdrawals.ts'

export const mutations: readonly Mutation[] = [
  ...moneyMutations,
  ...openingMutations,
  ...platformMutations,
  ...paymentMutations,
  ...providerMutations,
  ...adapterMutations,
  ...databaseMutations,
  ...moneyDecisionMutations,
  ...withdrawalMutations,
  ...payoutMutations,
  ...ticketMutations,
  ...documentMutations,
  ...formMutations,
  ...requestMutations,
  ...accessMutations,
  ...tradeMutations,
  ...beneficiaryMutations,
  ...sessionsMutations,
  ...inputMutations,
  ...privacyMutations,
  ...headersMutations,
  ...notificationMutations,
  ...backupMutations,
  ...supplyMutations,
]
