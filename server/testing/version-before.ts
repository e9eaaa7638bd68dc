/** The last migration of the version that may still run beside this one. Each release moves it on (docs/releasing.md). */
export const lastMigrationBefore = '20261122-1900-forms.sql'
