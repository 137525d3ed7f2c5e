import { formVersions } from '../../law/forms.ts'
import type { Day } from '../../day.ts'

/*
 * The uniform file ("open format") of the Tax Authority, version 1.31: Instructions of 1 May 2009. The tables
 * are the layout; the writer, the reader and the checks all read them. Positions follow from the lengths, and
 * each record's whole length is held by a test.
 */

export type FieldKind =
  /** X: left aligned, blanks on the right. */
  | 'text'
  /** 9: digits with left zeros; zeros mean nothing is given. */
  | 'digits'
  /** X9(n)v99: a sign and digits without a point, in hundredths. */
  | 'amount'
  /** X9(12)v9999: a sign and digits without a point, in ten-thousandths. */
  | 'amount4'
  /** YYYYMMDD. */
  | 'day'
  /** hhmm, of 24 hours. */
  | 'time'

export interface LayoutField {
  /** The number of the field in the Instructions. */
  readonly no: number
  readonly name: string
  readonly at: number
  readonly length: number
  readonly kind: FieldKind
  /** M: must be given. C: must be given under a condition. O: is filled when the software manages it. */
  readonly need: 'M' | 'C' | 'O'
}

export interface RecordLayout {
  readonly fields: readonly LayoutField[]
  /** In bytes, without the end of the line. */
  readonly length: number
  readonly byName: ReadonlyMap<string, LayoutField>
}

type Row = readonly [no: number, name: string, length: number, kind: FieldKind, need: LayoutField['need']]

function table(rows: readonly Row[]): RecordLayout {
  let at = 0
  const fields = rows.map(([no, name, length, kind, need]) => {
    at += length
    return { no, name, at: at - length, length, kind, need }
  })
  return { fields, length: at, byName: new Map(fields.map((field) => [field.name, field])) }
}

/** A000 and SUMMARY stand in INI.TXT, the others in BKMVDATA.TXT. */
export const layouts = {
  A000: table([
    [1000, 'recordCode', 4, 'text', 'M'],
    [1001, 'filler', 5, 'text', 'M'],
    [1002, 'records', 15, 'digits', 'M'],
    [1003, 'dealerNumber', 9, 'digits', 'M'],
    [1004, 'primaryId', 15, 'digits', 'M'],
    [1005, 'systemConstant', 8, 'text', 'M'],
    [1006, 'softwareRegistrationNumber', 8, 'digits', 'M'],
    [1007, 'softwareName', 20, 'text', 'M'],
    [1008, 'softwareVersion', 20, 'text', 'M'],
    [1009, 'vendorTaxId', 9, 'digits', 'M'],
    [1010, 'vendorName', 20, 'text', 'M'],
    [1011, 'softwareType', 1, 'digits', 'M'],
    [1012, 'path', 50, 'text', 'M'],
    [1013, 'bookkeepingType', 1, 'digits', 'M'],
    [1014, 'balanceLevel', 1, 'digits', 'C'],
    [1015, 'companyNumber', 9, 'digits', 'O'],
    [1016, 'withholdingFile', 9, 'digits', 'O'],
    [1017, 'filler2', 10, 'text', 'M'],
    [1018, 'businessName', 50, 'text', 'M'],
    [1019, 'street', 50, 'text', 'O'],
    [1020, 'house', 10, 'text', 'O'],
    [1021, 'city', 30, 'text', 'O'],
    [1022, 'zip', 8, 'text', 'O'],
    [1023, 'taxYear', 4, 'digits', 'C'],
    [1024, 'rangeStart', 8, 'day', 'C'],
    [1025, 'rangeEnd', 8, 'day', 'C'],
    [1026, 'processDate', 8, 'day', 'M'],
    [1027, 'processTime', 4, 'time', 'M'],
    [1028, 'language', 1, 'digits', 'M'],
    [1029, 'charset', 1, 'digits', 'M'],
    [1030, 'compressorName', 20, 'text', 'M'],
    [1032, 'leadingCurrency', 3, 'text', 'O'],
    [1034, 'hasBranches', 1, 'digits', 'M'],
    [1035, 'filler3', 46, 'text', 'M'],
  ]),
  SUMMARY: table([
    [1050, 'recordCode', 4, 'text', 'M'],
    [1051, 'count', 15, 'digits', 'M'],
  ]),
  A100: table([
    [1100, 'recordCode', 4, 'text', 'M'],
    [1101, 'recordNumber', 9, 'digits', 'M'],
    [1102, 'dealerNumber', 9, 'digits', 'M'],
    [1103, 'primaryId', 15, 'digits', 'M'],
    [1104, 'systemConstant', 8, 'text', 'M'],
    [1105, 'filler', 50, 'text', 'M'],
  ]),
  B100: table([
    [1350, 'recordCode', 4, 'text', 'M'],
    [1351, 'recordNumber', 9, 'digits', 'M'],
    [1352, 'dealerNumber', 9, 'digits', 'M'],
    [1353, 'transaction', 10, 'digits', 'M'],
    [1354, 'line', 5, 'digits', 'M'],
    [1355, 'batch', 8, 'digits', 'O'],
    [1356, 'transactionType', 15, 'text', 'O'],
    [1357, 'reference', 20, 'text', 'O'],
    [1358, 'referenceType', 3, 'digits', 'O'],
    [1359, 'reference2', 20, 'text', 'O'],
    [1360, 'reference2Type', 3, 'digits', 'O'],
    [1361, 'details', 50, 'text', 'O'],
    [1362, 'date', 8, 'day', 'M'],
    [1363, 'valueDate', 8, 'day', 'M'],
    [1364, 'account', 15, 'text', 'M'],
    [1365, 'counterAccount', 15, 'text', 'O'],
    [1366, 'debitCredit', 1, 'digits', 'M'],
    [1367, 'foreignCurrency', 3, 'text', 'O'],
    [1368, 'amount', 15, 'amount', 'M'],
    [1369, 'foreignAmount', 15, 'amount', 'O'],
    [1370, 'quantity', 12, 'amount', 'O'],
    [1371, 'match1', 10, 'text', 'O'],
    [1372, 'match2', 10, 'text', 'O'],
    [1374, 'branch', 7, 'text', 'C'],
    [1375, 'entryDate', 8, 'day', 'M'],
    [1376, 'operator', 9, 'text', 'O'],
    [1377, 'filler', 25, 'text', 'M'],
  ]),
  B110: table([
    [1400, 'recordCode', 4, 'text', 'M'],
    [1401, 'recordNumber', 9, 'digits', 'M'],
    [1402, 'dealerNumber', 9, 'digits', 'M'],
    [1403, 'accountKey', 15, 'text', 'M'],
    [1404, 'accountName', 50, 'text', 'M'],
    [1405, 'sortCode', 15, 'text', 'M'],
    [1406, 'sortCodeName', 30, 'text', 'M'],
    [1407, 'street', 50, 'text', 'O'],
    [1408, 'house', 10, 'text', 'O'],
    [1409, 'city', 30, 'text', 'O'],
    [1410, 'zip', 8, 'text', 'O'],
    [1411, 'country', 30, 'text', 'O'],
    [1412, 'countryCode', 2, 'text', 'O'],
    [1413, 'parentAccount', 15, 'text', 'O'],
    [1414, 'openingBalance', 15, 'amount', 'M'],
    [1415, 'totalDebit', 15, 'amount', 'M'],
    [1416, 'totalCredit', 15, 'amount', 'M'],
    [1417, 'form6111Code', 4, 'digits', 'O'],
    [1419, 'partnerDealerNumber', 9, 'digits', 'C'],
    [1421, 'branch', 7, 'text', 'C'],
    [1422, 'openingBalanceForeign', 15, 'amount', 'O'],
    [1423, 'openingBalanceCurrency', 3, 'text', 'O'],
    [1424, 'filler', 16, 'text', 'M'],
  ]),
  C100: table([
    [1200, 'recordCode', 4, 'text', 'M'],
    [1201, 'recordNumber', 9, 'digits', 'M'],
    [1202, 'dealerNumber', 9, 'digits', 'M'],
    [1203, 'documentType', 3, 'digits', 'M'],
    [1204, 'documentNumber', 20, 'text', 'M'],
    [1205, 'issueDate', 8, 'day', 'M'],
    [1206, 'issueTime', 4, 'time', 'O'],
    [1207, 'customerName', 50, 'text', 'C'],
    [1208, 'street', 50, 'text', 'O'],
    [1209, 'house', 10, 'text', 'O'],
    [1210, 'city', 30, 'text', 'O'],
    [1211, 'zip', 8, 'text', 'O'],
    [1212, 'country', 30, 'text', 'O'],
    [1213, 'countryCode', 2, 'text', 'O'],
    [1214, 'phone', 15, 'text', 'O'],
    [1215, 'customerDealerNumber', 9, 'digits', 'O'],
    [1216, 'valueDate', 8, 'day', 'O'],
    [1217, 'foreignTotal', 15, 'amount', 'O'],
    [1218, 'foreignCurrency', 3, 'text', 'O'],
    [1219, 'beforeDiscount', 15, 'amount', 'O'],
    [1220, 'discount', 15, 'amount', 'O'],
    [1221, 'netAmount', 15, 'amount', 'O'],
    [1222, 'vat', 15, 'amount', 'O'],
    [1223, 'total', 15, 'amount', 'O'],
    [1224, 'withholding', 12, 'amount', 'O'],
    [1225, 'customerKey', 15, 'text', 'C'],
    [1226, 'matchField', 10, 'text', 'O'],
    [1228, 'cancelled', 1, 'text', 'O'],
    [1230, 'documentDate', 8, 'day', 'M'],
    [1231, 'branch', 7, 'text', 'C'],
    [1233, 'operator', 9, 'text', 'O'],
    [1234, 'link', 7, 'digits', 'O'],
    [1235, 'filler', 13, 'text', 'M'],
  ]),
  D110: table([
    [1250, 'recordCode', 4, 'text', 'M'],
    [1251, 'recordNumber', 9, 'digits', 'M'],
    [1252, 'dealerNumber', 9, 'digits', 'M'],
    [1253, 'documentType', 3, 'digits', 'M'],
    [1254, 'documentNumber', 20, 'text', 'M'],
    [1255, 'line', 4, 'digits', 'M'],
    [1256, 'baseDocumentType', 3, 'digits', 'O'],
    [1257, 'baseDocumentNumber', 20, 'text', 'O'],
    [1258, 'transactionKind', 1, 'digits', 'O'],
    [1259, 'internalSku', 20, 'text', 'O'],
    [1260, 'description', 30, 'text', 'M'],
    [1261, 'manufacturer', 50, 'text', 'O'],
    [1262, 'serialNumber', 30, 'text', 'O'],
    [1263, 'unit', 20, 'text', 'O'],
    [1264, 'quantity', 17, 'amount4', 'M'],
    [1265, 'unitPrice', 15, 'amount', 'O'],
    [1266, 'discount', 15, 'amount', 'O'],
    [1267, 'total', 15, 'amount', 'O'],
    [1268, 'vatRate', 4, 'digits', 'M'],
    [1270, 'branch', 7, 'text', 'C'],
    [1272, 'documentDate', 8, 'day', 'M'],
    [1273, 'link', 7, 'digits', 'O'],
    [1274, 'baseBranch', 7, 'text', 'C'],
    [1275, 'filler', 21, 'text', 'M'],
  ]),
  D120: table([
    [1300, 'recordCode', 4, 'text', 'M'],
    [1301, 'recordNumber', 9, 'digits', 'M'],
    [1302, 'dealerNumber', 9, 'digits', 'M'],
    [1303, 'documentType', 3, 'digits', 'M'],
    [1304, 'documentNumber', 20, 'text', 'M'],
    [1305, 'line', 4, 'digits', 'M'],
    [1306, 'paymentMethod', 1, 'digits', 'M'],
    [1307, 'bank', 10, 'digits', 'C'],
    [1308, 'branchOfBank', 10, 'digits', 'C'],
    [1309, 'account', 15, 'digits', 'C'],
    [1310, 'chequeNumber', 10, 'digits', 'C'],
    [1311, 'dueDate', 8, 'day', 'O'],
    [1312, 'amount', 15, 'amount', 'M'],
    [1313, 'acquirer', 1, 'digits', 'O'],
    [1314, 'cardName', 20, 'text', 'O'],
    [1315, 'cardDealType', 1, 'digits', 'O'],
    [1320, 'branch', 7, 'text', 'C'],
    [1322, 'documentDate', 8, 'day', 'M'],
    [1323, 'link', 7, 'digits', 'O'],
    [1324, 'filler', 60, 'text', 'M'],
  ]),
  M100: table([
    [1450, 'recordCode', 4, 'text', 'M'],
    [1451, 'recordNumber', 9, 'digits', 'M'],
    [1452, 'dealerNumber', 9, 'digits', 'M'],
    [1453, 'universalSku', 20, 'text', 'O'],
    [1454, 'supplierSku', 20, 'text', 'O'],
    [1455, 'internalSku', 20, 'text', 'M'],
    [1456, 'itemName', 50, 'text', 'M'],
    [1457, 'sortCode', 10, 'text', 'O'],
    [1458, 'sortCodeName', 30, 'text', 'O'],
    [1459, 'unit', 20, 'text', 'M'],
    [1460, 'openingQuantity', 12, 'amount', 'M'],
    [1461, 'totalIn', 12, 'amount', 'M'],
    [1462, 'totalOut', 12, 'amount', 'M'],
    [1463, 'closingCost', 10, 'digits', 'O'],
    [1464, 'closingCostBonded', 10, 'digits', 'O'],
    [1465, 'filler', 50, 'text', 'M'],
  ]),
  Z900: table([
    [1150, 'recordCode', 4, 'text', 'M'],
    [1151, 'recordNumber', 9, 'digits', 'M'],
    [1152, 'dealerNumber', 9, 'digits', 'M'],
    [1153, 'primaryId', 15, 'digits', 'M'],
    [1154, 'systemConstant', 8, 'text', 'M'],
    [1155, 'records', 15, 'digits', 'M'],
    [1156, 'filler', 50, 'text', 'M'],
  ]),
} satisfies Record<string, RecordLayout>

export type RecordCode = keyof typeof layouts
export type DataCode = Exclude<RecordCode, 'A000' | 'SUMMARY'>

/** The records of BKMVDATA.TXT, in the order they are written. */
export const dataCodes = [
  'A100',
  'C100',
  'D110',
  'D120',
  'B100',
  'B110',
  'M100',
  'Z900',
] as const satisfies readonly DataCode[]

/** Those whose number is in INI.TXT. */
export const countedCodes = [
  'B100',
  'B110',
  'C100',
  'D110',
  'D120',
  'M100',
] as const satisfies readonly DataCode[]

export const isDataCode = (code: string): code is DataCode => (dataCodes as readonly string[]).includes(code)

export const systemConstant = `&OF${formVersions.uniform.version}&`

/** Appendix 1: every kind of document the file knows. */
export const documentCodes = [
  100, 200, 205, 210, 300, 305, 310, 320, 330, 340, 345, 400, 405, 410, 420, 500, 600, 610, 700, 710, 800,
  810, 820, 830, 840, 900, 910,
] as const

/** Documents of sales and purchases, which name a customer or supplier. */
export const namesParty = (code: number): boolean =>
  code >= 100 && code <= 710 && code !== 410 && code !== 420

/** Documents with lines of goods or services. */
export const hasLines = (code: number): boolean =>
  (code >= 100 && code <= 345) || (code >= 500 && code <= 710)

/** Documents with means of payment: receipts, invoice-receipts, payouts and deposits. */
export const hasPayments = (code: number): boolean => [320, 400, 405, 410, 420].includes(code)

/** `22334455.26` of the dealer 223344556 who makes it in 2026: the number without its check digit. */
export const dealerFolder = (dealerNumber: string, madeOn: Day): string =>
  `${dealerNumber.slice(0, 8)}.${madeOn.slice(2, 4)}`

/** MMDDhhmm. */
export const runFolder = (madeOn: Day, time: string): string =>
  madeOn.slice(5).replace('-', '') + time.replace(':', '').slice(0, 4)
