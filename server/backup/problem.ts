/** Why a backup cannot be made, read or restored, as a message for the operator. Nothing was changed. */
export class BackupProblem extends Error {}
export class SealedOtherwise extends BackupProblem {}
