import type { System } from '../server/foundation/actor.ts'
import type { Tx } from '../server/foundation/database/database.ts'
import { newId } from '../server/foundation/ids.ts'
import { cleanTermsHtml } from '../server/terms/clean-html.ts'

const agreement = (notice: string): string => `
<h2>1. What this agreement is about</h2>
<p>This agreement is between you and Harbour Markets Ltd. It says how you pay money in and out, what we do with it, and
what you can expect from us. It comes into force when you accept it.</p>
<h2>2. Your money</h2>
<ul>
<li>Money that you send is kept apart from our own, at the banks named in the portal.</li>
<li>We accept transfers from accounts in your own name only.</li>
<li>A deposit counts once it is on your trading account, not when you send it.</li>
</ul>
<h2>3. Fees and times</h2>
<table>
<caption>What a transfer costs and how long it takes</caption>
<thead><tr><th scope="col">Way</th><th scope="col">Fee</th><th scope="col">Usual time</th></tr></thead>
<tbody>
<tr><td>Bank transfer in</td><td>0.00</td><td>1 to 3 working days</td></tr>
<tr><td>Bank transfer out</td><td>5.00</td><td>1 to 2 working days</td></tr>
</tbody>
</table>
<h2>4. Risk</h2>
<p>Trading with leverage can cost you <strong>all of the money on your account</strong>. Do not trade with money that you
cannot afford to lose. The <a href="https://harbour-markets.example/risk">risk disclosure</a> says more.</p>
<h2>5. Ending it</h2>
<p>You can end this agreement at any time. ${notice} Open questions go to
<a href="mailto:support@harbour-markets.example">our support</a>.</p>`

const tickbox_text = 'I have read the client agreement and accept it.'
const sections = ['deposit', 'withdraw']

type Accepted = { memberId: string; daysAgo: number }
type Signed = { staffId: string; accepted: Accepted[]; now: number }

const dayMs = 86_400_000
const secondSinceDays = 70

/** One agreement in two versions that all but the newest member have accepted, and a draft at the desk. */
export async function addTerms(tx: Tx, system: System, { staffId, accepted, now }: Signed): Promise<void> {
  const key = { workspace_id: system.workspaceId, template_id: newId() }
  const first = {
    name: 'Client agreement',
    tickbox_text,
    template: cleanTermsHtml(agreement('We pay out what is left.')),
  }
  const second = {
    ...first,
    template: cleanTermsHtml(agreement('We pay out what is left within ten working days.')),
  }
  const created_at = new Date(now - 240 * dayMs)
  await tx
    .insertInto('terms_templates')
    .values({ ...key, position: 1, created_at })
    .execute()
  for (const [index, text] of [first, second].entries()) {
    const published = {
      published_at: new Date(now - (index === 0 ? 240 : secondSinceDays) * dayMs),
      published_by: staffId,
    }
    await tx
      .insertInto('terms_versions')
      .values({
        ...key,
        ...text,
        ...published,
        version: index + 1,
        blocked_portal_sections: sections,
        asks_again: index === 0,
      })
      .execute()
  }
  await tx
    .updateTable('terms_templates')
    .set({ state: 'published', version: 2, asks_from: 1 })
    .where('workspace_id', '=', key.workspace_id)
    .where('template_id', '=', key.template_id)
    .execute()
  const draft = { blocked_portal_sections: sections, updated_by: staffId, updated_at: new Date(now - 70 * dayMs) }
  await tx
    .insertInto('terms_drafts')
    .values({ ...key, ...second, ...draft })
    .execute()
  await tx
    .insertInto('terms_acceptances')
    .values(
      accepted.map(({ memberId, daysAgo }) => ({
        ...key,
        member_id: memberId,
        version: daysAgo < secondSinceDays ? 2 : 1,
        accepted_at: new Date(now - Math.min(daysAgo, 239) * dayMs),
        address: '192.0.2.44',
        user_agent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
        session_id: newId(),
      })),
    )
    .execute()
  await addDraft(tx, system, staffId, now)
}

async function addDraft(tx: Tx, system: System, staffId: string, now: number): Promise<void> {
  const key = { workspace_id: system.workspaceId, template_id: newId() }
  const at = new Date(now - 3 * dayMs)
  await tx
    .insertInto('terms_templates')
    .values({ ...key, position: 2, created_at: at })
    .execute()
  await tx
    .insertInto('terms_drafts')
    .values({
      ...key,
      name: 'Privacy notice 2027',
      tickbox_text: 'I have read the privacy notice.',
      template: '<h2>What we keep</h2><p>We keep what the law asks for, and nothing longer than we must.</p>',
      blocked_portal_sections: ['all'],
      updated_by: staffId,
      updated_at: at,
    })
    .execute()
}
