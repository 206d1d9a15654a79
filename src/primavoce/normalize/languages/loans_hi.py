"""English words and letters in Hindi, in its own script: espeak says what stands in Latin letters in English."""

from primavoce.normalize.tongue import spellings

LETTERS = spellings(
    "A: ए; B: बी; C: सी; D: डी; E: ई; F: एफ़; G: जी; H: एच; I: आई; J: जे; K: के; L: एल; M: एम; N: एन; O: ओ; P: पी; Q: क्यू",
    "R: आर; S: एस; T: टी; U: यू; V: वी; W: डब्ल्यू; X: एक्स; Y: वाई; Z: ज़ेड",
)

LOANS = spellings(
    "email: ईमेल; e-mail: ईमेल; mail: मेल; gmail: जीमेल; software: सॉफ़्टवेयर; hardware: हार्डवेयर; online: ऑनलाइन; offline: ऑफ़लाइन",
    "ok: ओके; okay: ओके; link: लिंक; file: फ़ाइल; files: फ़ाइलें; password: पासवर्ड; account: अकाउंट; chat: चैट; chatbot: चैटबॉट; bot: बॉट",
    "app: ऐप; apps: ऐप्स; web: वेब; website: वेबसाइट; site: साइट; server: सर्वर; router: राउटर; update: अपडेट; upload: अपलोड",
    "download: डाउनलोड; install: इंस्टॉल; upgrade: अपग्रेड; weekend: वीकेंड; marketing: मार्केटिंग; business: बिज़नेस; computer: कंप्यूटर",
    "internet: इंटरनेट; smartphone: स्मार्टफ़ोन; phone: फ़ोन; mobile: मोबाइल; tablet: टैबलेट; laptop: लैपटॉप; browser: ब्राउज़र; click: क्लिक",
    "login: लॉगिन; log: लॉग; logout: लॉगआउट; signup: साइनअप; backup: बैकअप; bug: बग; cloud: क्लाउड; cookie: कुकी; cookies: कुकीज़",
    "data: डेटा; database: डेटाबेस; desktop: डेस्कटॉप; developer: डेवलपर; design: डिज़ाइन; display: डिस्प्ले; feedback: फ़ीडबैक",
    "firewall: फ़ायरवॉल; folder: फ़ोल्डर; game: गेम; help: हेल्प; home: होम; hosting: होस्टिंग; input: इनपुट; output: आउटपुट; job: जॉब",
    "key: की; keyboard: कीबोर्ड; live: लाइव; manager: मैनेजर; meeting: मीटिंग; menu: मेनू; message: मैसेज; mouse: माउस; network: नेटवर्क",
    "news: न्यूज़; newsletter: न्यूज़लेटर; notification: नोटिफ़िकेशन; offer: ऑफ़र; order: ऑर्डर; page: पेज; payment: पेमेंट; plan: प्लान",
    "plugin: प्लगइन; podcast: पॉडकास्ट; port: पोर्ट; premium: प्रीमियम; privacy: प्राइवेसी; profile: प्रोफ़ाइल; project: प्रोजेक्ट; pro: प्रो",
    "refund: रिफ़ंड; report: रिपोर्ट; reset: रीसेट; screenshot: स्क्रीनशॉट; script: स्क्रिप्ट; security: सिक्योरिटी; service: सर्विस",
    "settings: सेटिंग्स; setting: सेटिंग; share: शेयर; shopping: शॉपिंग; smart: स्मार्ट; support: सपोर्ट; step: स्टेप; stock: स्टॉक",
    "store: स्टोर; storage: स्टोरेज; streaming: स्ट्रीमिंग; system: सिस्टम; team: टीम; test: टेस्ट; ticket: टिकट; token: टोकन; time: टाइम",
    "top: टॉप; training: ट्रेनिंग; user: यूज़र; version: वर्शन; video: वीडियो; wallet: वॉलेट; wifi: वाई-फ़ाई; wi-fi: वाई-फ़ाई; word: वर्ड",
    "youtube: यूट्यूब; google: गूगल; apple: ऐपल; amazon: अमेज़न; microsoft: माइक्रोसॉफ़्ट; facebook: फ़ेसबुक; instagram: इंस्टाग्राम",
    "whatsapp: व्हाट्सऐप; twitter: ट्विटर; github: गिटहब; python: पाइथन; java: जावा; javascript: जावास्क्रिप्ट; windows: विंडोज़; mac: मैक",
    "linux: लिनक्स; iphone: आईफ़ोन; android: एंड्रॉयड; bluetooth: ब्लूटूथ; chrome: क्रोम; chatgpt: चैट जीपीटी; code: कोड; error: एरर",
    "train: ट्रेन; bus: बस; hotel: होटल; flight: फ़्लाइट; gate: गेट; check-in: चेक इन; check-out: चेक आउट; booking: बुकिंग; card: कार्ड",
    "credit: क्रेडिट; debit: डेबिट; bank: बैंक; cash: कैश; cashback: कैशबैक; sale: सेल; free: फ़्री; delivery: डिलीवरी; form: फ़ॉर्म",
    "the: द; and: एंड; of: ऑफ़; for: फ़ॉर; to: टू; in: इन; com: कॉम; org: ऑर्ग; net: नेट; example: एग्ज़ाम्पल; info: इन्फ़ो; www: डब्ल्यू डब्ल्यू डब्ल्यू",
    "JSON: जेसन; RAM: रैम; SIM: सिम; PIN: पिन; GIF: जिफ़; ROM: रोम; NASA: नासा; UNESCO: यूनेस्को; PAN: पैन; COVID: कोविड; LED: एलईडी",
    "contact: कॉन्टैक्ट; hello: हेलो; admin: एडमिन; sales: सेल्स; https: एच टी टी पी एस; localhost: लोकलहोस्ट; pdf: पी डी एफ़; usb: यू एस बी",
    "docs: डॉक्स; blog: ब्लॉग; start: स्टार्ट; stop: स्टॉप; on: ऑन; off: ऑफ़; yes: यस; no: नो; config: कॉन्फ़िग; main: मेन; api: ए पी आई",
)
