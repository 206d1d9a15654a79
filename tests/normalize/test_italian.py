"""What agents write in Italian, and how it is said."""

import pytest

from primavoce.normalize import normalize
from primavoce.normalize.languages.loans_it import LOANS
from primavoce.phonemes.phonemizer import Phonemizer
from tests.normalize.foreign import flagged

SAID = [
    (
        "Il codice fiscale RSSMRA85T10A562S è corretto.",
        "Il codice fiscale R S S, M R A, otto cinque, T, uno zero, A cinque sei due, S è corretto.",
    ),
    (
        "IBAN: IT60 X054 2811 1010 0000 0123 456.",
        "IBAN: I T sei zero, X zero cinque quattro, due otto uno uno, uno zero uno zero, zero zero zero zero,"
        " zero uno due tre, quattro cinque sei.",
    ),
    ("Il CAP è 20121.", "Il CAP è due zero uno due uno."),
    (
        "La partita IVA 01234567890 è attiva.",
        "La partita IVA zero uno due tre quattro cinque sei sette otto nove zero è attiva.",
    ),
    (
        "L'art. 13, comma 2, del D.Lgs. 196/2003.",
        "L'articolo tredici, comma due, del decreto legislativo centonovantasei del duemilatré.",
    ),
    (
        "Ai sensi dell'art. 2043 c.c. il danno va risarcito.",
        "Ai sensi dell'articolo duemilaquarantatré codice civile il danno va risarcito.",
    ),
    ("L'Inter ha vinto 3-1 contro la Juventus.", "L'Inter ha vinto tre a uno contro la Juventus."),
    ("Sinner ha battuto Djokovic 6-4, 7-6, 6-3.", "Sinner ha battuto Djokovic sei a quattro, sette a sei, sei a tre."),
    (
        "Il treno delle 7:45 arriva alle 9:10 al binario 12.",
        "Il treno delle sette e quarantacinque arriva alle nove e dieci al binario dodici.",
    ),
    (
        "Il regionale 2345 parte alle ore 6.05 da Milano C.le.",
        "Il regionale duemilatrecentoquarantacinque parte alle ore sei e cinque da Milano Centrale.",
    ),
    (
        "Sconto del 20% fino al 31/12: da € 99,90 a € 79,90.",
        "Sconto del venti per cento fino al trentuno dicembre: da novantanove euro e novanta a settantanove "
        "euro e novanta.",
    ),
    ("Abita in Via Roma 12/B, 20121 Milano (MI).", "Abita in Via Roma dodici barra B, due zero uno due uno Milano."),
    ("Ci vediamo lunedì 3/5 alle 18.", "Ci vediamo lunedì tre maggio alle diciotto."),
    ("Aperto dal 3 al 5 maggio, ore 9-13.", "Aperto dal tre al cinque maggio, dalle nove alle tredici."),
    (
        "Orario: lun-ven 9-13 e 15-19.",
        "Orario: dal lunedì al venerdì dalle nove alle tredici e dalle quindici alle diciannove.",
    ),
    ("1/2 kg di farina e 2 l d'acqua.", "mezzo chilogrammo di farina e due litri d'acqua."),
    (
        "Per i ragazzi 18-25 anni l'ingresso è gratis.",
        "Per i ragazzi da diciotto a venticinque anni l'ingresso è gratis.",
    ),
    ("Chiesa di S. Maria in p.zza Garibaldi.", "Chiesa di Santa Maria in piazza Garibaldi."),
    ("La dott.ssa Bianchi e il prof. Neri.", "La dottoressa Bianchi e il professor Neri."),
    (
        "Chiama il tel. +39 06 1234567.",
        "Chiama il telefono più tre nove, zero sei, uno due tre quattro cinque sei sette.",
    ),
    ("- Aggiungi 200 g di zucchero", "Aggiungi duecento grammi di zucchero."),
    ("1. Apri l'app.", "uno: Apri l'app."),
    ("Usa `pip install` nel terminale.", "Usa pip install nel terminale."),
    ("Supporta USB-C, PDF, HTML e WiFi.", "Supporta USB-C, PDF, HTML e WiFi."),
    ("L'INPS e l'ISTAT hanno pubblicato i dati.", "L'INPS e l'ISTAT hanno pubblicato i dati."),
    ("La CPU è al 95%, la RAM al 60%.", "La CPU è al novantacinque per cento, la RAM al sessanta per cento."),
    ("Mando un SMS e una e-mail.", "Mando un SMS e una e-mail."),
    ("Il test del DNA è negativo.", "Il test del DNA è negativo."),
    ("Aggiungi 5 cl. di latte e mescola.", "Aggiungi cinque centilitri di latte e mescola."),
    ("La sig.ra Rossi e l'on. Verdi.", "La signora Rossi e l'onorevole Verdi."),
    ("Piazza XX Settembre e via IV Novembre.", "Piazza venti Settembre e via quattro Novembre."),
    ("Papa Giovanni XXIII e Vittorio Emanuele II.", "Papa Giovanni ventitreesimo e Vittorio Emanuele secondo."),
    (
        "Domani a Roma: min 12°, max 24°, vento a 15 km/h.",
        "Domani a Roma: minimo dodici gradi, massimo ventiquattro gradi, vento a quindici chilometri orari.",
    ),
    ("Volo AZ 610, gate B12, posto 14A.", "Volo A Z seicentodieci, gate B12, posto 14A."),
    ("Il volo dura 2h 30min.", "Il volo dura due ore trenta minuti."),
    ("Cuoci per 10-15 min. a 200°C.", "Cuoci per dieci quindici minuti a duecento gradi."),
    (
        "Il pacco pesa 1,5 kg e misura 30x20x10 cm.",
        "Il pacco pesa uno virgola cinque chilogrammi e misura trenta per venti per dieci centimetri.",
    ),
    (
        "Il file config.yaml è nella cartella /etc/app.",
        "Il file config punto yaml è nella cartella barra etc barra app.",
    ),
    ("Ho 1 GB di RAM e 512 MB di spazio.", "Ho un gigabyte di RAM e cinquecentododici megabyte di spazio."),
    ("Un po' di sale q.b.", "Un po' di sale quanto basta."),
    ("Il 3° classificato e la 4ª edizione.", "Il terzo classificato e la quarta edizione."),
    ("Tot. € 1.250,00 (IVA 22% incl.).", "totale milleduecentocinquanta euro (IVA ventidue per cento incluso)."),
    (
        "Gentile cliente, il suo ordine #45821 è stato spedito il 12/03.",
        "Gentile cliente, il suo ordine numero quarantacinquemilaottocentoventuno è stato spedito il dodici marzo.",
    ),
    ("Per annullare, scrivi NO al 4770.", "Per annullare, scrivi NO al quattromilasettecentosettanta."),
    (
        "Orari: lun.-ven. 8:30-12:30, sab 9-12.",
        "Orari: dal lunedì al venerdì dalle otto e trenta alle dodici e trenta, sabato dalle nove alle dodici.",
    ),
    ("Siamo aperti 7 giorni su 7, h24.", "Siamo aperti sette giorni su sette, ventiquattro ore su ventiquattro."),
    ("Inforna a 180° per 45'.", "Inforna a centottanta gradi per quarantacinque minuti."),
    (
        "Servono 500 g di farina 00, 1 bustina di lievito e 1 pizzico di sale.",
        "Servono cinquecento grammi di farina zero zero, una bustina di lievito e un pizzico di sale.",
    ),
    (
        "Mescola 1,5 l d'acqua con 1/4 di litro di latte.",
        "Mescola uno virgola cinque litri d'acqua con un quarto di litro di latte.",
    ),
    (
        "Il Frecciarossa delle 7.30 è in ritardo di 15'.",
        "Il Frecciarossa delle sette e trenta è in ritardo di quindici minuti.",
    ),
    ("La carta d'identità scade il 31.12.2026.", "La carta d'identità scade il trentuno dicembre duemilaventisei."),
    (
        "Ai sensi dell'art. 7, co. 1, lett. b), L. 241/1990.",
        "Ai sensi dell'articolo sette, comma uno, lettera b), legge duecentoquarantuno del millenovecentonovanta.",
    ),
    (
        "Il modello 730/2024 va inviato entro il 30/9.",
        "Il modello settecentotrenta del duemilaventiquattro va inviato entro il trenta settembre.",
    ),
    (
        "Juventus-Milan 2-1, gol al 45' e al 90'+3.",
        "Juventus-Milan due a uno, gol al quarantacinquesimo minuto e al novantesimo minuto più tre.",
    ),
    ("Il Napoli è 1° in classifica con 75 punti.", "Il Napoli è primo in classifica con settantacinque punti."),
    (
        "Bitcoin a 60.000 $, +3,5% in 24h.",
        "Bitcoin a sessantamila dollari, più tre virgola cinque per cento in ventiquattro ore.",
    ),
    ("Il tuo PIN è 4821.", "Il tuo PIN è quattro otto due uno."),
    ("Codice OTP: 839201.", "Codice OTP: otto tre nove due zero uno."),
    ("Via G. Verdi, 5 - 00185 Roma RM.", "Via G. Verdi, cinque - zero zero uno otto cinque Roma."),
    ("Corso Vittorio Emanuele II, n. 10, int. 4.", "Corso Vittorio Emanuele secondo, numero dieci, interno quattro."),
    ("C.so Italia 3, l.go Augusto 1, v.le Monza 20.", "corso Italia tre, largo Augusto uno, viale Monza venti."),
    ("Nel '900 e nell'800 a.C.", "Nel novecento e nell'ottocento avanti Cristo."),
    ("Il computer ha 16GB di RAM e un SSD da 1TB.", "Il computer ha sedici gigabyte di RAM e un SSD da un terabyte."),
    ("Apri Impostazioni > Wi-Fi > Avanzate.", "Apri Impostazioni, Wi-Fi, Avanzate."),
    ("**Attenzione**: non condividere la password!", "Attenzione: non condividere la password!"),
    (
        "Il dott. Mario Rossi (CEO di ACME S.p.A.) parlerà alle 15.",
        "Il dottor Mario Rossi (CEO di ACME S P A) parlerà alle quindici.",
    ),
    ("Il 70% ca. delle famiglie ha un abbonamento.", "Il settanta per cento circa delle famiglie ha un abbonamento."),
    ("Fai il backup e riavvia il router.", "Fai il backup e riavvia il router."),
    ("Il bus n. 64 passa ogni 10'.", "Il bus numero sessantaquattro passa ogni dieci minuti."),
    (
        "Temperatura: 36,5°; pressione 120/80.",
        "Temperatura: trentasei virgola cinque gradi; pressione centoventi su ottanta.",
    ),
    ("Prendi 1 compressa 2 volte/giorno.", "Prendi una compressa due volte al giorno."),
    ("Dose max 3 g/die.", "Dose massimo tre grammi al giorno."),
    ("Il sito è www.agenziaentrate.gov.it.", "Il sito è vu vu vu punto agenziaentrate punto gov punto it."),
    (
        "XVI secolo, II guerra mondiale, III trimestre 2024.",
        "sedicesimo secolo, seconda guerra mondiale, terzo trimestre duemilaventiquattro.",
    ),
    ("Enrico VIII, Leone XIV, Carlo V.", "Enrico ottavo, Leone quattordicesimo, Carlo quinto."),
    (
        "4 amici, 1 amica, 21 amiche, 1 zio, 1 psicologo.",
        "quattro amici, un'amica, ventuno amiche, uno zio, uno psicologo.",
    ),
    (
        "1.000.000 di euro, 2 mln di utenti, 1,5 mld.",
        "un milione di euro, due milioni di utenti, uno virgola cinque miliardi.",
    ),
    ("Ha 3 anni e 1/2.", "Ha tre anni e mezzo."),
    (
        "L'80% degli italiani e l'11% degli stranieri.",
        "L'ottanta per cento degli italiani e l'undici per cento degli stranieri.",
    ),
    ("Nell'88 e dall'8 all'11 maggio.", "Nell'ottantotto e dall'otto all'undici maggio."),
]


@pytest.mark.parametrize(("written", "by_hand"), SAID)
def test_a_sentence_is_read_as_if_it_were_written_out_by_hand(
    phonemizer: Phonemizer, written: str, by_hand: str
) -> None:
    read, plain = normalize(written, "it").text, normalize(by_hand, "it").text

    assert read.lower() == plain.lower()
    assert phonemizer.phonemize(read, "it") == phonemizer.phonemize(plain, "it")


@pytest.mark.parametrize("written", [written for written, _ in SAID])
def test_espeak_says_no_word_of_it_in_another_language(written: str) -> None:
    assert flagged(normalize(written, "it").text, "it") == []


def test_loans_are_spelled_so_that_espeak_says_them_in_the_language() -> None:
    assert flagged(", ".join(LOANS.values()), "it") == []
