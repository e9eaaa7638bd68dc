import { accessFaults } from './access.ts'
import { adapterFaults } from './adapters.ts'
import { backupFaults } from './backups.ts'
import { databaseFaults } from './databases.ts'
import { destinationFaults } from './destinations.ts'
import { documentFaults } from './documents.ts'
import { formFaults } from './forms.ts'
import { headersFaults } from './headers.ts'
import { inputFaults } from './input.ts'
import { moneyFaults } from './money.ts'
import { moneyDecisionFaults } from './money-decisions.ts'
import { noticeFaults } from './notices.ts'
import { paymentFaults } from './payments.ts'
import { payoutFaults } from './payouts.ts'
import type { PlantedFault } from './planted-fault.ts'
import { privacyFaults } from './privacy.ts'
import { requestFaults } from './requests.ts'
import { sessionsFaults } from './sessions.ts'
import { supplyFaults } from './supply.ts'
import { ticketFaults } from './tickets.ts'
import { tradeFaults } from './trades.ts'
import { withdrawalFaults } from './withdrawals.ts'

export const plantedFaults: readonly PlantedFault[] = [
  ...moneyFaults,
  ...paymentFaults,
  ...adapterFaults,
  ...databaseFaults,
  ...moneyDecisionFaults,
  ...withdrawalFaults,
  ...payoutFaults,
  ...ticketFaults,
  ...documentFaults,
  ...formFaults,
  ...requestFaults,
  ...accessFaults,
  ...tradeFaults,
  ...destinationFaults,
  ...sessionsFaults,
  ...inputFaults,
  ...privacyFaults,
  ...headersFaults,
  ...noticeFaults,
  ...backupFaults,
  ...supplyFaults,
]
