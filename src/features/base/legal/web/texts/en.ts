import type { LegalTexts } from './shape.ts'

/** The name of the product, where no dealer's brand replaces it. */
export const product = 'Pinkas'

export const texts: LegalTexts = {
  terms: {
    intro:
      'These are the rules for using {name}, in plain words. Opening an account means that you accept them.',
    sections: [
      {
        title: 'What you get',
        body: [
          'An online service for issuing invoices and receipts, getting paid, recording expenses, keeping books and filing.',
          'The service helps you meet your duties by law. You remain responsible for correct data, for filing on time and for paying your taxes.',
        ],
      },
      {
        title: 'Your account',
        body: [
          'Give correct details of your business and update them when they change.',
          'Keep your password safe; we recommend two-step verification. If you think somebody else got in, change the password and write to us.',
          'You decide which workers and accountants see what, and you answer for what they do in your account.',
        ],
      },
      {
        title: 'Documents and books',
        body: [
          'An issued document is never deleted or changed: it can be cancelled or credited, as the law requires.',
          'Books are kept for at least seven years after the end of the tax year, even if you stop using the service. You can export all of them at any time, including the uniform file.',
        ],
      },
      {
        title: 'Payment',
        body: [
          'The first 30 days are free and need no card. After that you pay monthly by the plan you chose, plus VAT.',
          'We announce a change of price 30 days ahead. You may cancel at any time; it takes effect at the end of the paid month.',
        ],
      },
      {
        title: 'What is not allowed',
        body: [
          'Issuing documents for deals that never took place, sending unwanted mail, trying to reach other people’s data, or overloading the service on purpose.',
          'If that happens we may suspend the account. We will tell you first, unless there is immediate danger.',
        ],
      },
      {
        title: 'Availability and liability',
        body: [
          'We back up your data and work to keep the service running, but we do not promise that nothing will ever fail.',
          'Our liability for direct damage is limited to what you paid in the year before it. The limit does not apply to intentional harm or where the law does not allow it.',
        ],
      },
      {
        title: 'Ending',
        body: [
          'You can close the account in the settings. We recommend exporting the books first.',
          'After that we keep only what the law tells us to keep.',
        ],
      },
      {
        title: 'Law and contact',
        body: [
          'Israeli law applies, and the competent courts in Israel have jurisdiction.',
          'Questions: {mail}',
        ],
      },
    ],
  },
  termsOld: {
    intro:
      'This is the earlier version of the terms. It applies to accounts opened before 01/11/2026 until the new version is accepted in them.',
    sections: [
      {
        title: 'The service',
        body: [
          'The service issues documents, records money received and expenses, and produces reports. It is given as it is.',
        ],
      },
      {
        title: 'The account',
        body: [
          'An account is for one business. Users are responsible for their password and for correct data.',
        ],
      },
      {
        title: 'Payment',
        body: [
          'The first 14 days are free. After that payment is monthly and may be cancelled with 30 days’ notice.',
        ],
      },
      {
        title: 'Keeping data',
        body: ['Data is kept while the account is active, and afterwards as the law requires.'],
      },
      {
        title: 'What has changed since',
        body: [
          'The trial is now 30 days, cancelling takes effect at the end of the paid month, and all books can be exported at any time.',
        ],
      },
    ],
  },
  privacy: {
    intro: 'What {name} keeps, what for, and who sees it.',
    sections: [
      {
        title: 'What is kept',
        body: [
          'Your details: name, e-mail, phone and language. Your password is kept only as a print from which it cannot be read.',
          'The business details, documents, customers, suppliers, payments and books that you enter.',
          'Technical records: when and from which address you signed in, and who changed what. Security and the bookkeeping regulations require them.',
        ],
      },
      {
        title: 'What for',
        body: [
          'To give the service, keep it secure, meet legal duties and answer you. We sell no data and show no advertising.',
        ],
      },
      {
        title: 'Who sees it',
        body: [
          'You, and those you have given permission. Our staff see data only when you have asked for help.',
          'The Tax Authority, card acquirers, banks, and mail and SMS carriers receive only what the action you asked for needs.',
          'We hand data to an authority only where the law obliges us.',
        ],
      },
      {
        title: 'Your customers’ details',
        body: ['They are yours: you decide what is kept, and we process it for you alone.'],
      },
      {
        title: 'In your browser',
        body: [
          'Your browser keeps your sign-in, language, dark mode and display preferences. There are no third-party cookies and no tracking across sites.',
        ],
      },
      {
        title: 'How long',
        body: [
          'Books and documents: at least seven years after the end of the tax year. Sign-in records: one year. A closed account: only what the law requires.',
        ],
      },
      {
        title: 'Security',
        body: [
          'Traffic is encrypted, signing keys are stored encrypted, and each business’s data is kept apart. If an incident concerns you, we tell you without delay.',
        ],
      },
      {
        title: 'Your rights',
        body: [
          'Under the Protection of Privacy Law you may see the data about you, correct it and ask for its deletion, unless the law requires it to be kept.',
          'Privacy questions: {mail}',
        ],
      },
    ],
  },
  accessibility: {
    intro:
      '{name} is built so that everyone can work in it unaided. Here is what has been done, what is still missing, and how to reach us.',
    sections: [
      {
        title: 'The standard',
        body: [
          'We follow Israeli Standard 5568 at level AA and WCAG 2.2 at level AA, as the Equal Rights for Persons with Disabilities (Service Accessibility Adjustments) Regulations require.',
        ],
      },
      {
        title: 'What has been done',
        body: [
          'Everything can be done with the keyboard alone, and focus is always visible. The question mark shows the keys.',
          'Screens are built for screen readers: headings, labels, messages and errors are read aloud, and every chart has a table.',
          'Contrast is measured for every colour, in light and dark mode. Nothing is told by colour alone.',
          'You can zoom to 200 per cent without losing content, and screens fit a phone with large touch targets.',
          'Whoever asked the device for less motion sees no animation.',
          'Documents are issued as PDF files tagged for screen readers.',
        ],
      },
      {
        title: 'How it is checked',
        body: [
          'By automatic tests (axe) of the screens in Hebrew and English, light and dark, and by working with the keyboard by hand. No outside audit has been made yet.',
        ],
      },
      {
        title: 'What is still missing',
        body: [
          'Scanned files that users upload are not accessible in themselves, though the details read from them are shown as text.',
          'Pages of outside services, such as card acquirers and the Tax Authority, are not under our control.',
        ],
      },
      {
        title: 'Contact',
        body: [
          'Did something get in your way? Write to the accessibility coordinator: {mail}. Tell us which screen, what you tried to do, and which browser or assistive technology you use. We answer within five working days.',
        ],
      },
    ],
  },
}
