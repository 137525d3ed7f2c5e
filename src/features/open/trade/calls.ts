import { typesThat } from '#domain/documents/facts.ts'
import { documentTypes } from '#domain/documents/kinds.ts'
import { day, decimal, flag, list, object, text, texts, whole, type TradeFields } from './fields.ts'

/**
 * Calls that programs of this market know, under the names they call them by. Each is a thin door before
 * calls of the contract; the guides are made from this table.
 */
export interface TradeCall {
  /** The name it is explained under; `/api/v1/<name>`, in whatever letters. */
  name: string
  /** Other names of the same. */
  also?: readonly string[]
  /** Its guide pages are `apiguide<guide>` and `apiv1/<guide>`. */
  guide?: string
  takes: TradeFields
  /** What `ReturnValue` holds; of a list, each of its rows. */
  gives: TradeFields
  /** Answers rows, with `total`. */
  rows?: true
  /** `ReturnValue` is one bare text: the only field of `gives`. */
  bare?: true
  /** The same in our own API, which says more. */
  ours: readonly string[]
  /** Codes it may refuse with, besides the common ones. */
  errors: readonly string[]
  /** What a program sends; a test sends it. */
  sample: Record<string, unknown>
}

/** Numbers of languages in these calls. */
export const languageIds = { he: 359, en: 139, ru: 606, fr: 282, ar: 15 } as const

/**
 * Numbers of currencies as the plug-in for shops counts them; the written guides of the trade begin with 2
 * for the shekel.
 */
export const currencyIds = {
  ILS: 1,
  USD: 2,
  EUR: 3,
  GBP: 4,
  AUD: 5,
  RUB: 6,
  HKD: 7,
  TRY: 8,
  CAD: 9,
  JPY: 10,
  INR: 11,
} as const

/** vatType of a line: before VAT, including it, none, none. */
export const vatTypeIds = { 1: 1, 2: 2, 3: 4, 4: 4 } as const

/** TypeID of a payment: cash, cheque, transfer, card, app, PayPal, withheld, other. */
export const payTypes = [1, 2, 3, 4, 5, 6, 7, 8] as const

const paging = {
  PageSize: whole({ least: 1, most: 1000, start: 50, clamp: true }),
  PageNumber: whole({ least: 1, start: 1, clamp: true }),
} as const
/**
 * Programs order by names of their own product: each stands for a field of the list. `asc` is a switch there,
 * up when it is not sent.
 */
const ordered = {
  orderby: object(
    {
      column: text({ max: 40, word: 'orderColumn' }),
      asc: flag({ start: true, word: 'orderAsc', order: true }),
    },
    {},
  ),
} as const
const search = { Search: text({ max: 100 }), ...ordered } as const
const id = { id: text({ max: 40 }) } as const

const party = {
  Name: text({ max: 200 }),
  NameInvoice: text({ max: 200 }),
  NumberID: text({ max: 12 }),
  EmailAddress: text({ max: 254 }),
  Phone: text({ max: 25 }),
  Phone2: text({ max: 25 }),
  Address: text({ max: 120 }),
  City: text({ max: 80 }),
  ZipCode: text({ max: 10 }),
} as const
const customer = { ...party, FullName: text({ max: 120 }), CountryCode: text({ max: 60 }) } as const
// Clients read the small letters, and languages that tell letters apart find nothing under the large ones.
const partyRow = {
  id: text({}),
  name: text({ word: 'Name' }),
  Name: text({}),
  NumberID: text({}),
  EmailAddress: text({}),
  Phone: text({}),
  City: text({}),
} as const
const made = { id: text({}) } as const

const documentIds = Object.values(documentTypes).map(({ id: number }) => number)
const documentRow = {
  id: text({}),
  DocumentType: whole({ word: 'DocumentType' }),
  DocumentTypeName: text({}),
  docNumber: whole({}),
  DocumentNumber: whole({ word: 'docNumber' }),
  DateCreated: day({}),
  Date: day({ word: 'DateCreated' }),
  MaxDate: day({}),
  MaxDateToPay: day({ word: 'MaxDate' }),
  CustomerID: text({}),
  CustomerName: text({}),
  Currency: text({}),
  TotalPrice: decimal({}),
  OpenPrice: decimal({}),
  statusID: whole({}),
} as const
const documentGiven = {
  id: text({}),
  DocumentType: whole({}),
  DocumentTypeName: text({}),
  docNumber: whole({}),
  statusID: whole({}),
  TotalPrice: decimal({}),
  OpenPrice: decimal({}),
  Currency: text({}),
  url: text({}),
  pdfurl: text({}),
  copypdfurl: text({}),
  loyalpdfurl: text({}),
  pdf80mm: text({}),
  paymenturl: text({ word: 'payPage' }),
  signurl: text({}),
  AllocationState: text({}),
  AllocationNumber: text({}),
} as const

/** What a program wants to be told again with what became of its payment. */
const ownValues = {
  Fields1: text({ max: 500, word: 'OwnValue' }),
  Fields2: text({ max: 500, word: 'OwnValue' }),
  Fields3: text({ max: 500, word: 'OwnValue' }),
} as const
const paymentGiven = {
  UniqueID: text({}),
  OrderNumber: text({}),
  status: text({ word: 'PaymentStatus' }),
  transaction_id: text({}),
  TotalPrice: decimal({}),
  RefundedPrice: decimal({}),
  RefundStatus: text({}),
  Currency: text({}),
  DocumentID: text({}),
  DocumentType: whole({}),
  docNumber: whole({}),
  paymenturl: text({}),
  ...ownValues,
} as const

const documentsAsked = {
  ...paging,
  ...search,
  CustomerID: text({ max: 40 }),
  docTypeID: whole({ choices: [0, ...documentIds], start: 0 }),
  from: day({}),
  to: day({}),
} as const

export const tradeCalls = {
  login: {
    name: 'login',
    guide: 'login',
    takes: {},
    gives: {
      CompanyID: text({}),
      UserKey: text({}),
      FullName: text({}),
      ReadOnly: flag({}),
      DraftsOnly: flag({}),
    },
    ours: [],
    errors: [],
    sample: {},
  },
  companies: {
    name: 'companies',
    also: ['getAllCompanies'],
    guide: 'companies',
    rows: true,
    takes: {},
    gives: { id: text({}), Name: text({}), NumberID: text({}) },
    ours: ['companies.get'],
    errors: [],
    sample: {},
  },
  company: {
    name: 'company',
    also: ['getCompany'],
    guide: 'company',
    takes: {},
    gives: {
      id: text({}),
      Name: text({}),
      NumberID: text({}),
      Kind: text({}),
      EmailAddress: text({}),
      Phone: text({}),
      Address: text({}),
      City: text({}),
      ZipCode: text({}),
    },
    ours: ['companies.get'],
    errors: [],
    sample: {},
  },
  addcustomer: {
    name: 'addcustomer',
    also: ['customer', 'addCustomer', 'updateCustomer'],
    guide: 'addcustomer',
    takes: { ID: text({ max: 40 }), ...customer, CustomKey: text({ max: 40 }) },
    gives: made,
    ours: ['customers.create', 'customers.change'],
    errors: ['kit.notFound', 'fields.taken'],
    sample: {
      Name: 'דנה לוי',
      NumberID: '',
      EmailAddress: 'dana@example.com',
      Phone: '050-1234567',
      City: 'חיפה',
      CustomKey: 'shop-1001',
    },
  },
  customers: {
    name: 'customers',
    also: ['getAllCustomers', 'getCustomers'],
    guide: 'customers',
    rows: true,
    takes: { ...paging, ...search, PortfolioID: text({ max: 40 }) },
    gives: { ...partyRow, CustomKey: text({}), PortfolioID: text({}) },
    ours: ['customers.list'],
    errors: [],
    sample: { PageSize: 20, PageNumber: 1, Search: 'דנה' },
  },
  provider: {
    name: 'provider',
    also: ['addProvider', 'updateProvider'],
    guide: 'provider',
    takes: { ID: text({ max: 40 }), ...party, CustomKey: text({ max: 40 }) },
    gives: made,
    ours: ['suppliers.create', 'suppliers.change'],
    errors: ['kit.notFound', 'fields.taken'],
    sample: {
      Name: 'מאפיית הגליל',
      EmailAddress: 'office@bakery.example',
      Phone: '04-6123456',
      City: 'כרמיאל',
    },
  },
  providers: {
    name: 'providers',
    also: ['getAllProviders', 'getProviders'],
    guide: 'providers',
    rows: true,
    takes: { ...paging, ...search },
    gives: partyRow,
    ours: ['suppliers.list'],
    errors: [],
    sample: { PageSize: 20, PageNumber: 1 },
  },
  product: {
    name: 'product',
    also: ['addProduct', 'updateProduct'],
    guide: 'product',
    takes: {
      ID: text({ max: 40 }),
      Name: text({ max: 200 }),
      Sku: text({ max: 40 }),
      Barcode: text({ max: 40 }),
      Price: decimal({ least: 0 }),
      CurrencyID: text({ max: 3 }),
      vatType: whole({ choices: [1, 2, 3, 4] }),
      Description: text({ max: 2000 }),
      Unit: text({ max: 20 }),
    },
    gives: made,
    ours: ['items.create', 'items.change'],
    errors: ['kit.notFound', 'fields.taken', 'trade.currency'],
    sample: { Name: 'כיסא עץ', Sku: 'CHAIR-1', Price: '350.00', vatType: 2 },
  },
  products: {
    name: 'products',
    also: ['getAllProducts', 'getProducts'],
    rows: true,
    takes: { ...paging, ...search },
    gives: {
      id: text({}),
      sku: text({ word: 'Sku' }),
      name: text({ word: 'Name' }),
      price: decimal({ word: 'Price' }),
      Sku: text({}),
      Name: text({}),
      Price: decimal({}),
      Currency: text({}),
      vatType: whole({}),
      Barcode: text({}),
    },
    ours: ['items.list'],
    errors: [],
    sample: { PageSize: 20, PageNumber: 1 },
  },
  currencies: {
    name: 'currencies',
    also: ['getAllCurrencies', 'getCurrencies'],
    guide: 'currencies',
    rows: true,
    takes: {},
    gives: { ID: whole({ word: 'CurrencyNumber' }), Code: text({ word: 'CurrencyCode' }) },
    ours: ['rates.ofDay'],
    errors: [],
    sample: {},
  },
  language: {
    name: 'language',
    also: ['languages', 'getAllLanguages'],
    guide: 'language',
    rows: true,
    takes: {},
    gives: {
      ID: whole({ word: 'LanguageNumber' }),
      Code: text({ word: 'LanguageCode' }),
      Name: text({ word: 'LanguageName' }),
    },
    ours: ['references.numbers'],
    errors: [],
    sample: {},
  },
  vatTypes: {
    name: 'vatTypes',
    also: ['getVatTypes', 'getAllVatTypes'],
    rows: true,
    takes: {},
    gives: {
      ID: whole({ word: 'VatNumber' }),
      Code: text({ word: 'VatCode' }),
      Name: text({ word: 'VatName' }),
    },
    ours: ['references.numbers'],
    errors: [],
    sample: {},
  },
  createDocument: {
    name: 'createDocument',
    takes: {
      DocumentType: whole({ need: true, choices: documentIds }),
      Title: text({ max: 200 }),
      Notes: text({ max: 4000 }),
      NotesBottom: text({ max: 4000 }),
      HideNotes: text({ max: 4000 }),
      CurrencyID: text({ max: 3 }),
      ExchangeRate: text({ max: 20 }),
      LangID: whole({ choices: Object.values(languageIds) }),
      DateCreated: day({}),
      MaxDate: day({}),
      OrderNumber: text({ max: 40 }),
      refdocNumber: text({ max: 40 }),
      refurl: text({ max: 500 }),
      sourceType: text({ max: 100 }),
      statusID: whole({ choices: [1, 2], start: 1, word: 'makeStatusID' }),
      isDraft: flag({ start: false }),
      fromDocID: text({ max: 40 }),
      incomeID: text({ max: 40 }),
      vatPercentage: decimal({ least: 0, most: 100 }),
      RoundPriceAuto: flag({ start: false }),
      roundPrice: decimal({ choices: [0, 0.5, 1] }),
      SendEmail: flag({ start: false }),
      IncludePDF: flag({ start: true }),
      SendSMS: flag({ start: false }),
      sendSign: flag({ start: false }),
      DontCreateIsraelTaxNumber: flag({ start: false }),
      payCreditPluginID: text({ max: 40 }),
      DocumentUniqueKey: text({ max: 20 }),
      Customer: object({ ID: text({ max: 40 }), ...customer, CustomKey: text({ max: 40 }) }, {}),
      items: list(
        {
          Name: text({ max: 500, word: 'LineName' }),
          Quantity: decimal({ start: '1' }),
          Price: decimal({ word: 'LinePrice' }),
          vatType: whole({ choices: [1, 2, 3, 4] }),
          Sku: text({ max: 40 }),
          SkuID: text({ max: 40 }),
        },
        { most: 1000 },
      ),
      discount: object({ amount: decimal({ need: true }), typeid: whole({ choices: [1, 2], start: 1 }) }, {}),
      payments: list(
        {
          TypeID: whole({ need: true, choices: payTypes }),
          Price: decimal({ need: true, word: 'PaymentPrice' }),
          DateCreated: day({ word: 'PaymentDate', also: ['PaymentDate'] }),
          CardLastDigits: text({ max: 4 }),
          CardType: text({ max: 30 }),
          NumberofPayments: whole({ least: 1, most: 36 }),
          BankNumber: text({ max: 3 }),
          BranchNumber: text({ max: 4 }),
          AccountNumber: text({ max: 20 }),
          CheckNumber: text({ max: 30 }),
          Reference: text({ max: 100 }),
        },
        { most: 100 },
      ),
      files: texts({ max: 1000, most: 5 }),
    },
    gives: documentGiven,
    ours: ['documents.create', 'documents.send', 'signRequests.document', 'files.upload'],
    errors: [
      'trade.currency',
      'trade.customer',
      'trade.payCredit',
      'trade.fileAddress',
      'documents.otherVatRate',
      'signing.notAgreement',
      'documents.typeNotAllowed',
      'documents.dateInFuture',
      'documents.noCustomer',
    ],
    sample: {
      DocumentType: 9,
      Title: 'הזמנה 1001',
      CurrencyID: 'ILS',
      DocumentUniqueKey: 'order-1001',
      Customer: { ID: -1, Name: 'דנה לוי', EmailAddress: 'dana@example.com', CustomKey: 'shop-1001' },
      items: [{ Name: 'כיסא עץ', Sku: 'CHAIR-1', Quantity: 2, Price: '350.00', vatType: 2 }],
      payments: [{ TypeID: 4, Price: 700, CardLastDigits: '4242', NumberofPayments: 1 }],
    },
  },
  getDocument: {
    name: 'getDocument',
    takes: { ...id, DocumentUniqueKey: text({ max: 20 }) },
    gives: documentGiven,
    ours: ['documents.get', 'documents.byKey'],
    errors: ['kit.notFound'],
    sample: { DocumentUniqueKey: 'order-1001' },
  },
  invoices: {
    name: 'invoices',
    also: ['getInvoices'],
    guide: 'invoices',
    rows: true,
    takes: documentsAsked,
    gives: documentRow,
    ours: ['documents.list'],
    errors: [],
    sample: { PageSize: 20, PageNumber: 1, docTypeID: 9 },
  },
  getOpenInvoices: {
    name: 'getOpenInvoices',
    rows: true,
    takes: documentsAsked,
    gives: documentRow,
    ours: ['documents.list'],
    errors: [],
    sample: { PageSize: 20, PageNumber: 1 },
  },
  cancelDocument: {
    name: 'cancelDocument',
    takes: { id: text({ max: 40, need: true }), Reason: text({ max: 300 }) },
    gives: documentGiven,
    ours: ['documents.cancel'],
    errors: ['kit.notFound', 'documents.alreadyCancelled', 'documents.cannotCancel', 'documents.stillDraft'],
    sample: {},
  },
  share: {
    name: 'share',
    also: ['shareDocument', 'sendDocument'],
    takes: {
      ...id,
      DocumentUniqueKey: text({ max: 20 }),
      EmailAddress: text({ max: 254 }),
      Phone: text({ max: 25 }),
    },
    gives: { url: text({}), pdfurl: text({}), sent: flag({}) },
    ours: ['documents.send', 'documents.sms'],
    errors: ['kit.notFound', 'documents.stillDraft', 'sms.notMobile'],
    sample: { DocumentUniqueKey: 'order-1001', EmailAddress: 'dana@example.com' },
  },
  createPayment: {
    name: 'createPayment',
    also: ['createPaymentLink', 'wccreatePayment'],
    bare: true,
    takes: {
      TotalPrice: decimal({ need: true, least: 1 }),
      InvoiceName: text({ max: 200, word: 'Name' }),
      InvoiceLangID: whole({ choices: Object.values(languageIds), word: 'LangID' }),
      UniqueID: text({ max: 100 }),
      OrderNumber: text({ max: 40 }),
      CurrencyID: text({ max: 3 }),
      InvoiceNumberID: text({ max: 12, word: 'NumberID' }),
      InvoiceEmailAddress: text({ max: 254, word: 'EmailAddress' }),
      InvoicePhone: text({ max: 25, word: 'Phone' }),
      InvoiceAddress: text({ max: 120, word: 'Address' }),
      InvoiceCity: text({ max: 80, word: 'City' }),
      MinPayments: whole({ least: 1, most: 36 }),
      MaxPayments: whole({ least: 1, most: 36 }),
      PaymentType: whole({ choices: [1, 2], start: 1 }),
      DocumentType: whole({ choices: typesThat('isReceipt'), word: 'PaymentPaper' }),
      NoCreateInvoice: flag({ start: false }),
      SendInvoiceEmail: flag({}),
      SuccessUrl: text({ max: 1000 }),
      ErrorUrl: text({ max: 1000 }),
      NotifyUrl: text({ max: 1000 }),
      ...ownValues,
    },
    gives: { paymenturl: text({}) },
    ours: ['paymentLinks.create', 'webhooks.create'],
    errors: [
      'trade.onlyCharge',
      'trade.alwaysPaper',
      'trade.payerChooses',
      'trade.currency',
      'fields.taken',
      'paymentLinks.off',
      'paymentLinks.onlyShekels',
      'paymentLinks.onlyNonProfit',
      'paymentLinks.paperNot',
      'paymentLinks.badUrl',
      'webhooks.badAddress',
      'webhooks.privateAddress',
      'webhooks.tooMany',
    ],
    sample: {
      TotalPrice: 250,
      InvoiceName: 'דנה לוי',
      InvoiceEmailAddress: 'dana@example.com',
      UniqueID: 'pay-1001',
      OrderNumber: '1001',
      CurrencyID: 'ILS',
      SuccessUrl: 'https://shop.example/thanks?order=1001',
      ErrorUrl: 'https://shop.example/cart',
      NotifyUrl: 'https://shop.example/paid?order=1001',
      Fields1: 'cart-7',
    },
  },
  paymentStatus: {
    name: 'paymentStatus',
    also: ['getPayment', 'getPaymentStatus'],
    takes: { UniqueID: text({ max: 100, need: true, word: 'PaymentKey' }) },
    gives: paymentGiven,
    ours: ['paymentLinks.byReference'],
    errors: ['kit.notFound'],
    sample: { UniqueID: 'pay-1001' },
  },
  refundPayment: {
    name: 'refundPayment',
    also: ['refund'],
    takes: {
      UniqueID: text({ max: 100, need: true, word: 'PaymentKey' }),
      TotalPrice: decimal({ least: 0.01, word: 'RefundPrice' }),
      RefundUniqueID: text({ max: 100 }),
      Reason: text({ max: 200, word: 'RefundReason' }),
    },
    gives: paymentGiven,
    ours: ['paymentLinks.byReference', 'paymentLinks.refund'],
    errors: [
      'kit.notFound',
      'fields.taken',
      'paymentLinks.notPaid',
      'paymentLinks.refundsTooMuch',
      'paymentLinks.refundBeyondLimit',
      'paymentLinks.donationWhole',
    ],
    sample: { UniqueID: 'pay-1001', TotalPrice: '50.00', RefundUniqueID: 'back-1001', Reason: 'המוצר הוחזר' },
  },
  wcOrder: {
    name: 'wcOrder',
    takes: {
      DocumentType: whole({ need: true, choices: typesThat('isReceipt') }),
      InvoiceTitle: text({ max: 200, word: 'Title' }),
      InvoiceNotes: text({ max: 4000, word: 'Notes' }),
      InvoiceNotesBottom: text({ max: 4000, word: 'NotesBottom' }),
      CurrencyID: text({ max: 3 }),
      LangID: whole({ choices: Object.values(languageIds) }),
      sendemail: flag({ start: false, word: 'SendEmail' }),
      sendinvoice: flag({ start: false, word: 'SendEmail' }),
      createshipping: flag({ start: true }),
      OrderDetails: object(
        {
          id: text({ max: 20, word: 'OrderNumber' }),
          order_key: text({ max: 100, word: 'OrderKey' }),
          payment_method_title: text({ max: 100, word: 'Reference' }),
          total: decimal({ word: 'OrderTotal', anyPlaces: true }),
          shipping_total: decimal({ word: 'ShippingTotal', anyPlaces: true }),
          shipping_tax: decimal({ word: 'ShippingTax', anyPlaces: true }),
          billing: object(
            {
              first_name: text({ max: 100, word: 'Name' }),
              last_name: text({ max: 100, word: 'Name' }),
              company: text({ max: 200, word: 'Name' }),
              email: text({ max: 254, word: 'EmailAddress' }),
              phone: text({ max: 25, word: 'Phone' }),
              address_1: text({ max: 120, word: 'Address' }),
              city: text({ max: 80, word: 'City' }),
              postcode: text({ max: 10, word: 'ZipCode' }),
            },
            { word: 'Customer' },
          ),
        },
        { word: 'OrderDetails', need: true },
      ),
      Products: list(
        {
          description: text({ max: 500, need: true, word: 'LineName' }),
          quantity: decimal({ start: '1', word: 'Quantity' }),
          price: decimal({ need: true, word: 'PriceWithTax', anyPlaces: true }),
          sku: text({ max: 40, word: 'Sku' }),
          taxable: flag({ start: true }),
        },
        { most: 500, word: 'items' },
      ),
      Coupons: list(
        {
          description: text({ max: 200, word: 'LineName' }),
          price: decimal({ need: true, word: 'CouponPrice', anyPlaces: true }),
          tax: decimal({ word: 'CouponTax', anyPlaces: true }),
        },
        { most: 50 },
      ),
    },
    gives: documentGiven,
    ours: ['documents.create', 'documents.byKey'],
    errors: ['trade.currency', 'trade.orderSum', 'documents.typeNotAllowed'],
    sample: {
      DocumentType: 9,
      CurrencyID: 'ILS',
      InvoiceTitle: 'הזמנה 2001',
      OrderDetails: {
        id: 2001,
        payment_method_title: 'Credit card',
        billing: { first_name: 'דנה', last_name: 'לוי', email: 'dana@example.com', city: 'חיפה' },
      },
      Products: [{ description: 'כיסא עץ', quantity: 2, price: 350, sku: 'CHAIR-1', taxable: true }],
      Coupons: [{ description: 'קיץ', price: 50 }],
    },
  },
  deleteproduct: {
    name: 'deleteproduct',
    also: ['deleteProduct'],
    guide: 'deleteproduct',
    takes: { ID: text({ max: 40 }), Sku: text({ max: 40 }) },
    gives: made,
    ours: ['items.archive'],
    errors: ['kit.notFound'],
    sample: { Sku: 'CHAIR-1' },
  },
  sms: {
    name: 'sms',
    also: ['sendSms', 'sendSMS'],
    guide: 'sms',
    takes: {
      Phone: text({ max: 25, need: true }),
      Text: text({ max: 600, need: true }),
      CustomerID: text({ max: 40 }),
    },
    gives: { messageId: text({}) },
    ours: ['letters.sms'],
    errors: ['sms.notMobile', 'kit.notFound'],
    sample: { Phone: '050-1234567', Text: 'ההזמנה שלכם מוכנה.' },
  },
  addcardtoken: {
    name: 'addcardtoken',
    also: ['saveCardToken'],
    guide: 'addcardtoken',
    takes: {
      CustomerID: text({ max: 40, need: true }),
      Token: text({ max: 200, need: true }),
      ExpMonth: whole({ least: 1, most: 12, need: true }),
      ExpYear: whole({ least: 2020, most: 2099, need: true }),
      Last4: text({ max: 4, need: true }),
      CardBrand: text({ max: 30 }),
      TerminalID: text({ max: 40 }),
      Consent: text({ max: 2000, need: true }),
    },
    gives: { id: text({}), Last4: text({}), Expires: text({}) },
    ours: ['savedCards.bring'],
    errors: ['kit.notFound', 'savedCards.noTerminal', 'savedCards.isNumber', 'savedCards.notKnown'],
    sample: {
      CustomerID: '0199f2a4-7c1e-7b3a-9d52-4f6a8c0e1b27',
      Token: 'TOK-TEST-4242',
      ExpMonth: 12,
      ExpYear: 2040,
      Last4: '4242',
      CardBrand: 'visa',
      Consent: 'אישור בעל הכרטיס באתר',
    },
  },
} as const satisfies Record<string, TradeCall>

export type TradeName = keyof typeof tradeCalls

const byAnyName = new Map<string, TradeName>(
  (Object.entries(tradeCalls) as [TradeName, TradeCall][]).flatMap(([key, call]) =>
    [call.name, ...(call.also ?? [])].map((one): [string, TradeName] => [one.toLowerCase(), key]),
  ),
)

/** The call a program means by a name, in whatever letters. */
export const tradeCallNamed = (name: string): TradeName | undefined => byAnyName.get(name.toLowerCase())
