import { isTermsLink, termsAttributes, termsTags } from '@atrium/contract/terms/html.ts'
import sanitizeHtml from 'sanitize-html'

const rules: sanitizeHtml.IOptions = {
  allowedTags: [...termsTags],
  allowedAttributes: Object.fromEntries(
    Object.entries({ ...termsAttributes, a: [...(termsAttributes.a ?? []), 'target', 'rel'] }).map(([tag, names]) => [
      tag,
      [...names],
    ]),
  ),
  allowedSchemes: ['https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  disallowedTagsMode: 'discard',
  // Deeper than any contract; without an end to it a text of brackets would be work for nothing.
  nestingLimit: 40,
  transformTags: {
    // Whoever reads terms stays where they are read, and the page behind a link learns nothing of ours.
    a: (tagName, { href, title }) => ({
      tagName,
      attribs: {
        ...(href !== undefined && isTermsLink(href) && { href, target: '_blank', rel: 'noopener noreferrer' }),
        ...(title !== undefined && { title }),
      },
    }),
  },
}

/** Keeps of HTML what terms may hold. What it answers, it answers again unchanged: in and out are the same rule. */
export function cleanTermsHtml(html: string): string {
  return sanitizeHtml(html, rules).trim()
}

/** Whether there is anything to read in it at all. */
export function holdsText(html: string): boolean {
  const text = sanitizeHtml(html, { allowedTags: [], allowedAttributes: {} })
  return /[\p{L}\p{N}]/u.test(text)
}
