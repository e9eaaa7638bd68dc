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
  // Deeper than any contract; without a limit deep nesting would cost time.
  nestingLimit: 40,
  transformTags: {
    // Links open in a new tab, without referrer and opener.
    a: (tagName, { href, title }) => ({
      tagName,
      attribs: {
        ...(href !== undefined && isTermsLink(href) && { href, target: '_blank', rel: 'noopener noreferrer' }),
        ...(title !== undefined && { title }),
      },
    }),
  },
}

/** Keeps the HTML allowed in terms. Idempotent, so input and output use the same rule. */
export function cleanTermsHtml(html: string): string {
  return sanitizeHtml(html, rules).trim()
}

/** Whether the HTML contains readable text. */
export function holdsText(html: string): boolean {
  const text = sanitizeHtml(html, { allowedTags: [], allowedAttributes: {} })
  return /[\p{L}\p{N}]/u.test(text)
}
