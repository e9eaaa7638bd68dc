/** Reasons for refusing a file of an allowed kind, with advice for its owner. */
export const fileProblems = {
  'picture-broken':
    'This picture is damaged or incomplete. Save it again, or take a screenshot of it, and upload that file.',
  'picture-mixed':
    'This file is a picture with another file appended to it. Save the picture again, or take a screenshot of it, and upload that file.',
  'pdf-broken': 'This PDF is damaged or incomplete. Open it, print it to a new PDF, and upload that file.',
  'pdf-unreadable':
    'This PDF is encoded in a way that we cannot check. Open it, print it to a new PDF, and upload that file.',
  'pdf-mixed': 'This file is a PDF and another file at once. Print it to a new PDF and upload that file.',
  'pdf-protected':
    'This PDF is protected by a password or against changes. Open it, print it to a new PDF, and upload that file.',
  'pdf-script': 'This PDF contains a script. Print it to a new PDF and upload that file.',
  'pdf-opens': 'This PDF opens other files or addresses by itself. Print it to a new PDF and upload that file.',
  'pdf-sends': 'This PDF submits what is filled in to an address. Print it to a new PDF and upload that file.',
  'pdf-xfa': 'This PDF is a form (XFA) that most programs cannot show. Print it to a new PDF and upload that file.',
  'pdf-media': 'This PDF contains video or audio. Print it to a new PDF and upload that file.',
  'pdf-attached':
    'This PDF has other files attached to it. Print it to a new PDF and upload that file, and upload the attached files on their own.',
  'office-broken':
    'This document is damaged, or the sizes that it declares are wrong. Save it again, or save it as PDF, and upload that file.',
  'office-macros': 'This document contains macros. Save it without them, or as PDF, and upload that file.',
  'office-embeds': 'This document contains or starts another program or file. Save it as PDF and upload that file.',
  'office-remote':
    'This document loads parts of its content from another address. Save it as PDF and upload that file.',
  'office-protected': 'This document is protected by a password. Save it without one, or as PDF, and upload that file.',
  'table-mixed': 'This table contains parts of a web page. Save it again as CSV and upload that file.',
  'table-starts':
    'This table contains a formula that starts another program or sends data to an address. Remove the formula, save it again as CSV and upload that file.',
  'film-broken': 'This video is damaged or incomplete. Save it again and upload that file.',
} as const

export type FileProblem = keyof typeof fileProblems
