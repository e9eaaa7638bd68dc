/** Why a backup cannot be made, read or put back, in a sentence for whoever runs the machine. Nothing was changed by it. */
export class BackupProblem extends Error {}
export class SealedOtherwise extends BackupProblem {}
