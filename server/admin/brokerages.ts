import { type Feature, features } from '@atrium/contract/access/scopes.ts'
import {
  checkPlatform,
  describeReport,
  forScripts,
  isWell,
  listPlatforms,
  type PlatformReport,
} from '../accounts/platform-check.ts'
import { type AuditFinding, verifyAudit } from '../audit-log/verify.ts'
import { systemActor } from '../foundation/actor.ts'
import { type Resealed, resealWorkspace } from '../foundation/resealing.ts'
import { checkProviders, type ProviderReport } from '../payments/connections/provider-check.ts'
import { resealBuilds } from '../web-builds/resealing.ts'
import { readSwitches, switchFeature } from '../workspaces/switches.ts'
import { addWorkspace, describeWorkspaces } from './administration.ts'
import { Alarm, type Command, UsageProblem, workspaceOf, workspacesOf } from './command.ts'

export const brokerageCommands: Command[] = [
  {
    words: 'workspace list',
    takes: '',
    summary: 'lists the brokerages of this installation',
    run: (context) => describeWorkspaces(context),
  },
  {
    words: 'workspace add',
    takes: '<subdomain> <name>',
    summary: 'adds a brokerage; the first one also answers on hosts without a subdomain',
    more: 'Before the first start of the server it also creates the database that DATABASE_URL or ATRIUM_EMBEDDED_DATABASE=true names.',
    begins: ({ ATRIUM_EMBEDDED_DATABASE }) => ATRIUM_EMBEDDED_DATABASE,
    async run(context, [subdomain = '', name = '']) {
      const { workspaceId } = await addWorkspace(context, { subdomain, name })
      return { workspace_id: workspaceId, subdomain }
    },
  },
  {
    words: 'feature list',
    takes: '<subdomain>',
    summary: 'lists the features, and whether each is on',
    async run(context, [subdomain]) {
      const switches = await readSwitches(await workspaceOf(context, subdomain))
      return features.map((feature) => ({ feature, state: switches[feature] ? 'on' : 'off' }))
    },
  },
  {
    words: 'feature switch',
    takes: '<subdomain> <feature> <on or off>',
    summary: 'switches a feature, from the next request on, in every process',
    async run(context, [subdomain, name, state]) {
      const feature = features.find((known): known is Feature => known === name)
      if (!feature) throw new UsageProblem(`Unknown feature: ${name}. Features: ${features.join(', ')}`)
      if (state !== 'on' && state !== 'off') throw new UsageProblem('Enter on or off.')
      await switchFeature(await workspaceOf(context, subdomain), feature, state === 'on')
      return { feature, state }
    },
  },
  {
    words: 'platform check',
    takes: '[<subdomain>] [<platform>]',
    summary: 'connects to the trading platforms and reports problems; changes nothing',
    more: 'A platform that is switched off is shown as off, is not called, and raises no alarm.',
    async run(context, [subdomain, platform]) {
      const reports: (PlatformReport & { workspace: string })[] = []
      for (const { subdomain: workspace, workspace_id } of await workspacesOf(context, subdomain)) {
        const system = systemActor(context, workspace_id)
        for (const found of await listPlatforms(system, platform))
          reports.push({ workspace, ...(await checkPlatform(system, found)) })
      }
      if (platform !== undefined && reports.length === 0) throw new UsageProblem(`There is no platform ${platform}.`)
      const text = reports.map((report) => `${report.workspace}: ${describeReport(report)}`).join('\n\n')
      const found = reports.map(({ workspace, ...report }) => ({ workspace, ...forScripts(report) }))
      if (!reports.every(isWell)) throw new Alarm(text, { reports: found })
      return { text: text || 'No platform yet.', reports: found }
    },
  },
  {
    words: 'provider check',
    takes: '[<subdomain>] [<provider>]',
    summary: 'calls the payment providers with the saved settings and reports problems; changes nothing',
    more: 'A provider that is switched off is called too, and raises no alarm.',
    async run(context, [subdomain, provider]) {
      const reports: (ProviderReport & { workspace: string })[] = []
      for (const { subdomain: workspace, workspace_id } of await workspacesOf(context, subdomain))
        for (const report of await checkProviders(systemActor(context, workspace_id), provider))
          reports.push({ workspace, ...report })
      if (provider !== undefined && reports.length === 0) throw new UsageProblem(`There is no provider ${provider}.`)
      const failing = reports.filter(({ works, state }) => !works && state === 'on')
      if (failing.length > 0) throw new Alarm(failing.map(describeFailing).join('\n'), reports)
      return reports
    },
  },
  {
    words: 'audit verify',
    takes: '[<subdomain>] [--head <position:hash>]',
    summary: 'verifies that the audit log was not changed',
    more: 'A head that was noted elsewhere (--head) also reveals entries removed from the end.',
    async run(context, [subdomain], { head }) {
      const chosen = await workspacesOf(context, subdomain)
      if (head !== undefined && subdomain === undefined)
        throw new UsageProblem('A head belongs to one workspace: name the workspace.')
      // A slip in copying must not look like a changed log.
      if (head !== undefined && !headShape.test(head))
        throw new UsageProblem('Enter the head as this command prints it: a position, a colon and 64 hex digits.')
      const reports: { workspace: string; entries: number; head: string; findings: AuditFinding[] }[] = []
      for (const { subdomain: workspace, workspace_id } of chosen)
        reports.push({ workspace, ...(await verifyAudit(systemActor(context, workspace_id), head)) })
      const wrong = reports.filter(({ findings }) => findings.length > 0)
      if (wrong.length > 0) throw new Alarm(`The audit log was changed:\n${JSON.stringify(wrong, null, 2)}`, reports)
      return reports.map(({ findings: _, ...report }) => ({ ...report, verdict: 'unchanged' }))
    },
  },
  {
    words: 'secrets reseal',
    takes: '',
    summary: 'encrypts with ATRIUM_SECRET_KEY every secret that is encrypted with a former key',
    async run(context) {
      const reports: ({ workspace: string } & Resealed)[] = []
      for (const { subdomain: workspace, workspace_id } of await describeWorkspaces(context))
        reports.push({ workspace, ...(await resealWorkspace(systemActor(context, workspace_id))) })
      const builds = { workspace: '(web builds)', ...(await resealBuilds(context)) }
      // Unreadable rows belong to builds that no longer run, so skipping them loses nothing.
      if (reports.some(({ unreadable }) => unreadable > 0))
        throw new Alarm(`Secrets that none of the keys can decrypt:\n${JSON.stringify(reports, null, 2)}`, reports)
      return [...reports, builds]
    },
  },
]

const headShape = /^\d{1,18}:[0-9a-f]{64}$/

function describeFailing({ workspace, provider, failure, detail }: ProviderReport & { workspace: string }): string {
  return `${workspace}: ${provider} does not work (${failure}: ${detail})`
}
