"""What agents write in Spanish, and how it is said."""

import pytest

from primavoce.normalize import normalize
from primavoce.normalize.languages.loans_es import LOANS
from primavoce.phonemes.phonemizer import Phonemizer
from tests.normalize.foreign import flagged

SAID = [
    (
        "Su pedido n.º 4521 llegará el martes 14 de mayo entre las 9:00 y las 14:00.",
        "Su pedido número cuatro mil quinientos veintiuno llegará el martes catorce de mayo entre las nueve y"
        " las catorce.",
    ),
    (
        "El precio es de 1.299,99 € (IVA incl.).",
        "El precio es de mil doscientos noventa y nueve euros con noventa y nueve (IVA incluido).",
    ),
    ("Descarga la versión v2.3.1 de la app.", "Descarga la versión dos punto tres punto uno de la app."),
    (
        "El NIF es 12345678Z y el C.P. 28013 Madrid.",
        "El NIF es uno dos tres cuatro cinco seis siete ocho Z y el código postal dos ocho cero uno tres Madrid.",
    ),
    ("Vive en C/ Mayor, 5, 3.º B.", "Vive en calle Mayor, cinco, tercero B."),
    ("El Real Madrid ganó 3-1 al Barça.", "El Real Madrid ganó tres a uno al Barça."),
    (
        "Mezcla 1/2 kg de harina con 250 ml de leche.",
        "Mezcla medio kilogramo de harina con doscientos cincuenta mililitros de leche.",
    ),
    ("La reunión es a las 15:30 h.", "La reunión es a las quince y treinta."),
    (
        "Mañana habrá 28 °C y viento de 20 km/h.",
        "Mañana habrá veintiocho grados y viento de veinte kilómetros por hora.",
    ),
    ("Llame al +34 91 123 45 67.", "Llame al más tres cuatro, nueve uno, uno dos tres, cuatro cinco, seis siete."),
    ("El 50 % de los usuarios usa Wi-Fi.", "El cincuenta por ciento de los usuarios usa Wi-Fi."),
    ("La Dra. Gómez y el Prof. Ruiz, etc.", "La doctora Gómez y el profesor Ruiz, etcétera."),
    ("Isabel II reinó en el s. XIX.", "Isabel segunda reinó en el siglo diecinueve."),
    ("Pulse Ctrl+C o escriba a soporte@example.com.", "Pulse Ctrl más C o escriba a soporte arroba example punto com."),
    ("Cuesta 5 €/kg, o sea, 5 € el kilo.", "Cuesta cinco euros el kilo, o sea, cinco euros el kilo."),
    ("Tienes 21 mensajes y 1 archivo PDF.", "Tienes veintiún mensajes y un archivo PDF."),
    (
        "El vuelo IB 3254 sale a las 7:05 por la puerta K21.",
        "El vuelo I B tres mil doscientos cincuenta y cuatro sale a las siete y cinco por la puerta K21.",
    ),
    (
        "Se aplica el art. 14.2 de la Ley 39/2015.",
        "Se aplica el artículo catorce punto dos de la Ley treinta y nueve de dos mil quince.",
    ),
    ("De lunes a viernes, de 9 a 14 h.", "De lunes a viernes, de nueve a catorce horas."),
    ("Horario: 9-14 h y 16-20 h.", "Horario: de nueve a catorce horas y de dieciséis a veinte horas."),
    ("Temperatura mín. -3 °C, máx. 12 °C.", "temperatura mínima menos tres grados, máximo doce grados."),
    ("Guárdalo en formato JSON, CSV o XML.", "Guárdalo en formato JSON, CSV o XML."),
    (
        "El servidor web no responde; revise el router y el software.",
        "El servidor web no responde; revise el router y el software.",
    ),
    ("Faltan aprox. 10 min. para terminar.", "Faltan aproximadamente diez minutos para terminar."),
    ("El siglo V a. C.", "El siglo quinto antes de Cristo."),
    ("Los años 90 y la década de 1980.", "Los años noventa y la década de mil novecientos ochenta."),
    ("Tel.: 91 123 45 67.", "teléfono: nueve uno, uno dos tres, cuatro cinco, seis siete."),
    ("El USB, la URL y el DNI.", "El USB, la URL y el DNI."),
    ("Aprende Python en el fin de semana.", "Aprende Python en el fin de semana."),
    ("$ 1.500 MXN al mes.", "mil quinientos pesos mexicanos al mes."),
    ("Tu DNI, la ONU y la OTAN.", "Tu DNI, la ONU y la OTAN."),
    (
        "Estimado cliente: su reembolso de 45,90 € llegará en 3-5 días hábiles.",
        "Estimado cliente: su reembolso de cuarenta y cinco euros con noventa llegará en tres a cinco días hábiles.",
    ),
    ("El código de verificación es 482913.", "El código de verificación es cuatro ocho dos nueve uno tres."),
    (
        "Horario: lun-vie 9:00-14:00, sáb 10-13 h.",
        "Horario: de lunes a viernes de las nueve a las catorce, sábado de diez a trece horas.",
    ),
    (
        "El tren AVE 3082 sale a las 8.30 de la vía 4.",
        "El tren AVE tres mil ochenta y dos sale a las ocho y treinta de la vía cuatro.",
    ),
    (
        "Precalienta el horno a 180 °C y hornea 45 min.",
        "Precalienta el horno a ciento ochenta grados y hornea cuarenta y cinco minutos.",
    ),
    (
        "Pon 2 cucharadas de azúcar, 1 pizca de sal y 1/2 taza de leche.",
        "Pon dos cucharadas de azúcar, una pizca de sal y media taza de leche.",
    ),
    (
        "Pronóstico: máx. 31 °C, mín. 18 °C, prob. de lluvia 20 %.",
        "Pronóstico: máximo treinta y un grados, mínimo dieciocho grados, probabilidad de lluvia veinte por ciento.",
    ),
    (
        "El IBAN es ES91 2100 0418 4502 0005 1332.",
        "El IBAN es E S nueve uno, dos uno cero cero, cero cuatro uno ocho, cuatro cinco cero dos, cero cero "
        "cero cinco, uno tres tres dos.",
    ),
    ("Rebajas: -30 % hasta el 31/12.", "Rebajas: menos treinta por ciento hasta el treinta y uno de diciembre."),
    (
        "Avda. de la Constitución, n.º 21, 4.º izda., 41004 Sevilla.",
        "avenida de la Constitución, número veintiuno, cuarto izquierda, cuarenta y un mil cuatro Sevilla.",
    ),
    ("Ganó 6-4, 6-3 en 1h 25min.", "Ganó seis a cuatro, seis a tres en una hora veinticinco minutos."),
    ("Vd. tiene 1 mensaje nuevo y 21 notificaciones.", "usted tiene un mensaje nuevo y veintiuna notificaciones."),
    ("Alfonso X el Sabio y Felipe VI.", "Alfonso décimo el Sabio y Felipe sexto."),
    ("La II Guerra Mundial terminó en 1945.", "La segunda Guerra Mundial terminó en mil novecientos cuarenta y cinco."),
    ("Haz clic en Ajustes > Cuenta > Privacidad.", "Haz clic en Ajustes, Cuenta, Privacidad."),
    ("El 1 de enero de 2025, a las 00:00.", "El uno de enero de dos mil veinticinco, a las cero horas."),
    (
        "Descarga el archivo informe_final.pdf (2,5 MB).",
        "Descarga el archivo informe guion bajo final punto P D F (dos coma cinco megabytes).",
    ),
    ("Ejecuta `npm install` en la terminal.", "Ejecuta npm install en la terminal."),
    (
        "Son 12.500 habitantes, el 3,5 % más que en 2020.",
        "Son doce mil quinientos habitantes, el tres coma cinco por ciento más que en dos mil veinte.",
    ),
    ("Entre 5 y 10 kg; de 3 a 4 h.", "Entre cinco y diez kilogramos; de tres a cuatro horas."),
    (
        "Su vuelo UX 1094 a las 14:45 h. sale de la T4.",
        "Su vuelo U X mil noventa y cuatro a las catorce y cuarenta y cinco sale de la T4.",
    ),
    ("¿Cuánto cuesta? Unos $25 USD, ~23 €.", "¿Cuánto cuesta? Unos veinticinco dólares, unos veintitrés euros."),
    ("Llame gratis al 900 123 456.", "Llame gratis al nueve cero cero, uno dos tres, cuatro cinco seis."),
    ("La Sta. María y el Sto. Tomás.", "La Santa María y el Santo Tomás."),
    ("El s. V y el siglo XX.", "El siglo quinto y el siglo veinte."),
]


@pytest.mark.parametrize(("written", "by_hand"), SAID)
def test_a_sentence_is_read_as_if_it_were_written_out_by_hand(
    phonemizer: Phonemizer, written: str, by_hand: str
) -> None:
    read, plain = normalize(written, "es").text, normalize(by_hand, "es").text

    assert read.lower() == plain.lower()
    assert phonemizer.phonemize(read, "es") == phonemizer.phonemize(plain, "es")


@pytest.mark.parametrize("written", [written for written, _ in SAID])
def test_espeak_says_no_word_of_it_in_another_language(written: str) -> None:
    assert flagged(normalize(written, "es").text, "es") == []


def test_loans_are_spelled_so_that_espeak_says_them_in_the_language() -> None:
    assert flagged(", ".join(LOANS.values()), "es") == []
